/** The oldest version of Node with what the host needs, as package.json says under `engines`. */
const leastMajor = 26;

/** Returns why a version of Node cannot run the host; undefined for one that can. */
export function nodeComplaint(version: string): string | undefined {
  const major = Number.parseInt(version, 10);
  return major >= leastMajor
    ? undefined
    : `manifold needs Node ${leastMajor} or newer, and this is Node ${version}. Install it, or put it first on the PATH`;
}
