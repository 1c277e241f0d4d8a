// The console: browser scripts that are clients of the API. The host serves them and imports none of them.
// May import: core/web/embed.
export * from "../embed/index.ts";
