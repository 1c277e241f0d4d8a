/**
 * Loads the script of `<manifold-editor>`, `<manifold-explore>` and `<manifold-ask>` from a host. The script is not
 * part of this package, because it is as new as the host. The page's content policy must allow scripts of the host.
 * @param hostUrl address of the host, such as `https://analytics.example.org`
 * @throws {TypeError} if the script cannot be loaded
 */
export async function loadEditor(hostUrl: string): Promise<void> {
  const url = new URL("editor.js", `${hostUrl}/`).href;
  await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
}
