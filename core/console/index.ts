// The console: scripts for browsers, clients of the API. The host serves them, and imports none of them.
// May import: core/console/embed, core/console/parts, core/console/shell, core/console/styles.
export * from "./embed/index.ts";
