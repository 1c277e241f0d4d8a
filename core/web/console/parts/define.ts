/** Registers a custom element under a tag, unless the tag is registered already. */
export function define(tag: string, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element);
}
