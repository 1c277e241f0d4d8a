import type { Page } from "playwright-core";

/** Starts a session in a page of the host, with a key pair. */
export async function beginSession(
  page: Page,
  pair: { readonly key: string; readonly token: string },
): Promise<void> {
  const status = await page.evaluate(async (credentials) => {
    const answer = await fetch("/auth/session", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Manifold-Console": "1" },
      body: JSON.stringify(credentials),
    });
    return answer.status;
  }, pair);
  if (status !== 200) throw new Error(`the host answered ${status} to the sign-in`);
}
