// Making elements: `h("p", {class: "hint"}, "text", element)`. Text is always text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] attributes; `on…` functions are listeners, true and false switch
 * @param {...any} children elements, texts, numbers, lists of them; null and false are left out
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for a part of a drawing. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** Put these children in the place of all that an element has. */
export function replace(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

export function $(selector, within = document) {
  return within.querySelector(selector);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...flat(children));
  return element;
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
