import { isList, isObject } from "../../base/index.ts";
import type { HostSnapshot } from "./holdSnapshot.ts";

/**
 * Returns whether a host's response is a snapshot that this version understands. The check does not use a schema
 * library, because loading it would take longer than a small backup.
 */
export function isHostSnapshot(value: unknown): value is HostSnapshot {
  if (!isObject(value)) return false;
  const { takenAt, secret, catalog, store } = value;
  return areTexts(takenAt, secret) && isCatalog(catalog) && isStore(store);
}

function isCatalog(value: unknown): value is HostSnapshot["catalog"] {
  if (!isObject(value)) return false;
  const { address, transactionSnapshot } = value;
  if (!isObject(address) || !areTexts(transactionSnapshot)) return false;
  const { connectionString, host, port, user, password, ssl, database } = address;
  return (
    areTexts(connectionString) ||
    (areTexts(host, user, password, database) && areCounts(port) && ssl === false)
  );
}

function isStore(value: unknown): value is HostSnapshot["store"] {
  if (!isObject(value)) return false;
  const { slug, datasetCount, rowCount, folder, files } = value;
  return (
    areTexts(slug, folder) &&
    areCounts(datasetCount, rowCount) &&
    isList(files) &&
    files.every(
      (file) =>
        isObject<"name" | "sizeBytes">(file) && areTexts(file.name) && areCounts(file.sizeBytes),
    )
  );
}

const areTexts = (...values: readonly unknown[]) =>
  values.every((value) => typeof value === "string");

const areCounts = (...values: readonly unknown[]) => values.every(Number.isInteger);
