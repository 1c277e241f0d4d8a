// src/app/dashboard.tsx
"use client";
import type { ManifoldDashboard } from "@manifold-analytics/embed";
import { type ClassAttributes, useEffect, useRef, useState } from "react";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "manifold-dashboard": ClassAttributes<ManifoldDashboard> & {
        readonly host: string;
        readonly dashboard: string;
      };
    }
  }
}

export interface DashboardProps {
  readonly host: string;
  readonly dashboard: string;
  /** What the page says while there are no figures. */
  readonly unavailable: string;
}

/** Shows a dashboard. The server renders an empty element, and the browser fills it. */
export function Dashboard({ host, dashboard, unavailable }: DashboardProps) {
  const element = useRef<ManifoldDashboard>(null);
  const [isAvailable, setAvailable] = useState(true);

  useEffect(() => {
    const shown = element.current;
    if (!shown) return;
    const onLoad = () => setAvailable(true);
    const onError = () => setAvailable(false);
    shown.addEventListener("load", onLoad);
    shown.addEventListener("error", onError);
    // Only browsers have custom elements. Before the package is loaded, the element has no properties to set.
    import("@manifold-analytics/embed").then(() => {
      shown.getToken = async () => {
        const answer = await fetch("/token", { method: "POST" });
        if (answer.status === 401) location.assign("/sign-in");
        setAvailable(answer.ok);
        if (!answer.ok) throw new Error(`the app issued no token: status ${answer.status}`);
        return answer.json();
      };
    }, onError);
    return () => {
      shown.removeEventListener("load", onLoad);
      shown.removeEventListener("error", onError);
    };
  }, []);

  return (
    <>
      <p id="unavailable" role="status" hidden={isAvailable}>
        {unavailable}
      </p>
      <manifold-dashboard ref={element} host={host} dashboard={dashboard} />
    </>
  );
}
