// src/app/session/end/route.ts
import { NextResponse } from "next/server";
import { currentSession } from "../../../currentUser.ts";
import { revokeTokens } from "../../../embedTokens.ts";
import { closeSession } from "../../../sessions.ts";
import { setting } from "../../../setting.ts";

/** Signs the user out, and revokes the tokens of the session. */
export async function POST(): Promise<NextResponse> {
  await revokeTokens(closeSession(await currentSession()));
  const response = NextResponse.redirect(`${setting("APP_URL")}/sign-in`, 303);
  response.cookies.delete("session");
  return response;
}
