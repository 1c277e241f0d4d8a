// src/app/page.tsx
import { redirect } from "next/navigation";
import { currentUser } from "../currentUser.ts";
import { customerOf } from "../customers.ts";
import { lateCountOf } from "../lateParcels.ts";
import { setting } from "../setting.ts";
import { Dashboard } from "./dashboard.tsx";

/** The page with the dashboard of the signed-in user's customer. */
export default async function Home() {
  const user = await currentUser();
  if (!user) redirect("/sign-in");
  const { name, words } = customerOf(user.customerId);
  const late = lateCountOf(user.customerId);
  return (
    <>
      <title>{`${words.title} · ${name}`}</title>
      <header>
        <h1>{`${words.title} · ${name}`}</h1>
        <form method="post" action="/session/end">
          {user.name} <button>{words.signOut}</button>
        </form>
      </header>
      {late > 0 && <p id="late">{words.late(late)}</p>}
      <Dashboard
        host={setting("MANIFOLD_URL")}
        dashboard={setting("DASHBOARD")}
        unavailable={words.unavailable}
      />
    </>
  );
}
