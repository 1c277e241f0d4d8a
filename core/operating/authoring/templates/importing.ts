/**
 * Writes an import of the library for plugins, or of its door `sql`, as a line of a template: it is an import of the
 * plugin that is written, and none of the template.
 */
export function importing(names: string, door = ""): string {
  return ["import", names, "from", `"manifold/plugin${door}";`].join(" ");
}
