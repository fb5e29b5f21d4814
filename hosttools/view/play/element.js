// A new element of a page with a text, never markup.
export function make(tag, text = '', className = '') {
  const own = document.createElement(tag);
  own.textContent = text;
  own.className = className;
  return own;
}
