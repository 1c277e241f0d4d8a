import type { IssuedToken } from "manifold/embed";

/** Which dashboard the page shows, and the host that answers it. */
export interface PageSettings {
  readonly host: string;
  readonly dashboard: string;
}

/** Asks the server of the page which dashboard it shows. */
export async function readSettings(): Promise<PageSettings> {
  return (await fetch("/settings")).json();
}

/** Asks the server of the page for a token of whoever is signed in there. */
export async function getToken(): Promise<IssuedToken> {
  const answer = await fetch("/token", { method: "POST" });
  if (!answer.ok) throw new Error(`the page got no token: ${answer.status}`);
  return answer.json();
}

/** Returns where the page puts its app. */
export function findPlace(): HTMLElement {
  const place = document.querySelector("main");
  if (!place) throw new Error("the page has no element main");
  return place;
}
