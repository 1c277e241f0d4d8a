import type { IssuedToken } from "@manifold-analytics/embed";

/** The dashboard that the page shows, and the host that stores the dashboard. */
export interface PageSettings {
  readonly host: string;
  readonly dashboard: string;
}

/** Fetches the settings from the server of the page. */
export async function readSettings(): Promise<PageSettings> {
  return (await fetch("/settings")).json();
}

/** Fetches a token for the signed-in user from the server of the page. */
export async function getToken(): Promise<IssuedToken> {
  const answer = await fetch("/token", { method: "POST" });
  if (!answer.ok) throw new Error(`the page did not get a token: status ${answer.status}`);
  return answer.json();
}

/** Returns the element into which the page renders its app. */
export function findPlace(): HTMLElement {
  const place = document.querySelector("main");
  if (!place) throw new Error("the page has no <main> element");
  return place;
}
