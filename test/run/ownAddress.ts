import { pathToFileURL } from "node:url";

/** A rolldown plugin that preserves the URL of each module, so that a module still finds the files next to it. */
export const ownAddress = {
  name: "own address",
  transform: (code: string, id: string) =>
    code.includes("import.meta.url")
      ? {
          code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
          map: null,
        }
      : undefined,
};
