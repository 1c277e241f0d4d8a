/** Returns the lines that show a sign-in link to the person at the terminal. */
export function presentLink(link: { readonly url: string; readonly email: string }): string[] {
  return [
    `Open the console, signed in as ${link.email} (works once, within an hour, on this machine):`,
    `  ${link.url}`,
  ];
}
