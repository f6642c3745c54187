"""A page of html as a SCORM 1.2 package: what learning platforms take, and what they are told."""

from __future__ import annotations

import hashlib
import io
import zipfile
from xml.etree import ElementTree

CP = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
ADL = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
START = "index.html"
DAY = (1980, 1, 1, 0, 0, 0)  # of every file: the same quiz is the same package


def as_package(page: str, title: str) -> bytes:
    """Return a zip file with a page as its one lesson, a SCO.

    Parameters
    ----------
    page : str
        Html that needs no other file, with ``scorm.js`` inside.
    title : str
        What the lesson is called on the platform.

    Notes
    -----
    The manifest is that of ADL, SCORM 1.2, The SCORM Content Aggregation Model (2001): one
    organization, one item, one resource of type "sco".
    """
    page_bytes = page.encode()
    name = "lastviz-" + hashlib.sha256(page_bytes).hexdigest()[:16]
    for prefix, space in (("", CP), ("adlcp", ADL)):
        ElementTree.register_namespace(prefix, space)
    manifest = ElementTree.Element(f"{{{CP}}}manifest", identifier=name, version="1.0")
    about = ElementTree.SubElement(manifest, f"{{{CP}}}metadata")
    ElementTree.SubElement(about, f"{{{CP}}}schema").text = "ADL SCORM"
    ElementTree.SubElement(about, f"{{{CP}}}schemaversion").text = "1.2"
    lessons = ElementTree.SubElement(manifest, f"{{{CP}}}organizations", default="lessons")
    lesson = ElementTree.SubElement(lessons, f"{{{CP}}}organization", identifier="lessons")
    ElementTree.SubElement(lesson, f"{{{CP}}}title").text = title
    item = ElementTree.SubElement(
        lesson, f"{{{CP}}}item", identifier="lesson", identifierref="page", isvisible="true"
    )
    ElementTree.SubElement(item, f"{{{CP}}}title").text = title
    resources = ElementTree.SubElement(manifest, f"{{{CP}}}resources")
    kind = {f"{{{ADL}}}scormtype": "sco", "type": "webcontent", "href": START}
    page_of = ElementTree.SubElement(resources, f"{{{CP}}}resource", identifier="page", **kind)
    ElementTree.SubElement(page_of, f"{{{CP}}}file", href=START)
    parts = {
        "imsmanifest.xml": ElementTree.tostring(manifest, "utf-8", xml_declaration=True),
        START: page_bytes,
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for file, inside in parts.items():
            packed.writestr(zipfile.ZipInfo(file, DAY), inside, zipfile.ZIP_DEFLATED)
    return content.getvalue()
