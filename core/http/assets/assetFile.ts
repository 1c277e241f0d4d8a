/** A file that browsers load from the host. */
export interface AssetFile {
  /** The file's path on the host, such as `embed.js` or `assets/chunk-3f9a.js`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether the file name contains a hash of the content, so that browsers may cache the file forever. */
  readonly isImmutable: boolean;
}

/** The files of a bundle, and the script for each entry. */
export interface AssetBundle {
  readonly files: readonly AssetFile[];
  /** Path of each entry's script, by entry name. */
  readonly entries: Readonly<Record<string, string>>;
}
