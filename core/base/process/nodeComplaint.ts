/** The oldest version of Node that can run the host, as stated by `engines` in package.json. */
const leastMajor = 26;

/** Returns the reason why a version of Node cannot run the host, or undefined if it can. */
export function nodeComplaint(version: string): string | undefined {
  const major = Number.parseInt(version, 10);
  return major >= leastMajor
    ? undefined
    : `manifold needs Node ${leastMajor} or newer, but this is Node ${version}. Install a newer Node, or put it first on the PATH`;
}
