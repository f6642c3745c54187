// Copies the address of the scene; shows it as well, for browsers that do not let us.

export default function ({ parentElement, data }) {
  const find = (name) => parentElement.querySelector(".lv-copy-" + name);
  const [button, label, field] = ["button", "label", "field"].map(find);
  const address = `${data.origin || location.origin}${location.pathname}?${data.query}`;
  if (field.value !== address) {
    field.value = address;
    label.textContent = data.words.copy;
  }
  field.setAttribute("aria-label", data.words.field);
  button.onclick = async () => {
    field.hidden = false;
    label.textContent = (await copied(field)) ? data.words.copied : data.words.select;
  };
}

async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
