import { pathToFileURL } from "node:url";

/** A plugin of rolldown that keeps the address of each module, so that files beside it are found as before. */
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
