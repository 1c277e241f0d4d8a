// src/createApp.ts
import { fileURLToPath } from "node:url";
import express, { type Express, type Request } from "express";
import { issueToken, revokeTokens } from "./embedTokens.ts";
import { storeEvent } from "./lateParcels.ts";
import { dashboardPage, signInPage } from "./pages.ts";
import { closeSession, findUser, openSession, sessionHours } from "./sessions.ts";
import { setting } from "./setting.ts";
import { isPassword } from "./users.ts";
import { verifyEvent } from "./verifyEvent.ts";

/** Returns the id of the session in a request's cookie; an empty string without a cookie. */
const sessionOf = ({ headers }: Request) =>
  /(?:^|; )session=([\w-]+)/.exec(headers.cookie ?? "")?.[1] ?? "";

/** Creates the app. */
export function createApp(): Express {
  const appUrl = setting("APP_URL");
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${setting("MANIFOLD_URL")}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
  const cookie = {
    httpOnly: true,
    sameSite: "lax",
    secure: appUrl.startsWith("https:"),
    maxAge: sessionHours * 3_600_000,
  } as const;

  const app = express();
  app.disable("x-powered-by");
  app.use((_, response, next) => {
    response.set({ "Content-Security-Policy": policy, "Referrer-Policy": "same-origin" });
    next();
  });
  const embedFolder = new URL(".", import.meta.resolve("@manifold-analytics/embed"));
  app.use(express.static(fileURLToPath(new URL("../public", import.meta.url))));
  app.use("/embed", express.static(fileURLToPath(embedFolder)));

  // The host has no session. Its signature says who it is, and covers the bytes of the body.
  app.post(
    "/events",
    express.raw({ type: "application/json", limit: "1mb" }),
    (request, response) => {
      const event = verifyEvent(setting("EVENTS_SECRET"), {
        id: request.get("webhook-id") ?? "",
        sentAt: request.get("webhook-timestamp") ?? "",
        signatures: request.get("webhook-signature") ?? "",
        body: request.body instanceof Buffer ? request.body : Buffer.from(""),
      });
      if (!event) return void response.sendStatus(401);
      storeEvent(event);
      response.sendStatus(204);
    },
  );

  // Browsers send `Origin` with every POST, and pages cannot change it: other sites cannot act as a signed-in user.
  app.use((request, response, next) => {
    response.set("Cache-Control", "no-store");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead || request.get("origin") === appUrl) return next();
    response.sendStatus(403);
  });

  app.get("/sign-in", (_, response) => void response.send(signInPage()));
  app.post("/session", express.urlencoded({ extended: false }), async (request, response) => {
    const { email, password } = request.body ?? {};
    if (!(await isPassword(String(email), String(password))))
      return void response.status(401).send(signInPage("The address or the password is wrong."));
    response.cookie("session", openSession(String(email)), cookie).redirect(303, "/");
  });
  app.post("/session/end", async (request, response) => {
    await revokeTokens(closeSession(sessionOf(request)));
    response.clearCookie("session", cookie).redirect(303, "/sign-in");
  });

  app.get("/", (request, response) => {
    const user = findUser(sessionOf(request));
    if (user) response.send(dashboardPage(user));
    else response.redirect(303, "/sign-in");
  });
  app.post("/token", async (request, response) => {
    const user = findUser(sessionOf(request));
    if (!user) return void response.sendStatus(401);
    try {
      const issued = await issueToken(sessionOf(request), user);
      if (issued) response.json(issued);
      else response.sendStatus(401);
    } catch (failure) {
      console.error("the host issued no token:", failure);
      response.sendStatus(503);
    }
  });
  return app;
}
