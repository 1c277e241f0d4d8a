type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an element with attributes and children. Strings become text nodes, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined && value !== false)
      made.setAttribute(attribute, value === true ? "" : String(value));
  made.append(...children);
  return made;
}

/** Sets lengths in pixels through the object model, which style policies allow. */
export function place(
  { style }: HTMLElement | SVGElement,
  lengths: Readonly<Partial<Record<"left" | "top" | "width" | "height", number>>>,
): void {
  for (const [name, length] of Object.entries(lengths)) style.setProperty(name, `${length}px`);
}
