/** The oldest major version of Node.js that can run the host. */
export const leastMajor = 26;

/** Returns whether a version of Node.js, such as `20.19.0`, is too old to run the host. */
export function needsOwnNode(version: string): boolean {
  return Number.parseInt(version, 10) < leastMajor;
}
