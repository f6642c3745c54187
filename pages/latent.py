"""In which space does it split? The rows and the split in latent components and in features."""

from lastviz.ui import frame
from lastviz.ui.latent import page

frame.show(page)
