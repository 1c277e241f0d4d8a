/**
 * Returns an import of the plugin library, or of its entry point `sql`, as a line of a template. The generated plugin
 * executes the import, not this module.
 */
export function importing(names: string, door = ""): string {
  return ["import", names, "from", `"@manifold-analytics/plugin${door}";`].join(" ");
}
