import { defineElements } from "./elements/index.ts";

export * from "./index.ts";

// Pages that load the script use the elements at once.
defineElements();
