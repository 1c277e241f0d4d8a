import { defineElements } from "./elements/index.ts";

export * from "./index.ts";

// Pages that load this script can use the elements immediately.
defineElements();
