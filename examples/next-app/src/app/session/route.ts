// src/app/session/route.ts
import { NextResponse } from "next/server";
import { openSession, sessionHours } from "../../sessions.ts";
import { setting } from "../../setting.ts";
import { isPassword } from "../../users.ts";

/** Signs a user in. */
export async function POST(request: Request): Promise<NextResponse> {
  const appUrl = setting("APP_URL");
  const form = await request.formData();
  const [email, password] = [String(form.get("email")), String(form.get("password"))];
  if (!(await isPassword(email, password)))
    return NextResponse.redirect(`${appUrl}/sign-in?problem=password`, 303);
  const response = NextResponse.redirect(`${appUrl}/`, 303);
  response.cookies.set("session", openSession(email), {
    httpOnly: true,
    sameSite: "lax",
    secure: appUrl.startsWith("https:"),
    maxAge: sessionHours * 3_600,
  });
  return response;
}
