import { useState } from "react";
import { loadEditor, type ThemeName } from "@manifold-analytics/embed";
import { getToken, type PageSettings } from "../readSettings.ts";
import "./elements.ts";

/** A dashboard with what the page knows of it: React 19 sets properties, and listens to `on` and the event's name. */
export function App({ host, dashboard }: PageSettings) {
  const [theme, setTheme] = useState<ThemeName>("light");
  const [isShown, setShown] = useState(true);
  const [isEditing, setEditing] = useState(false);
  const [selected, setSelected] = useState<readonly object[]>([]);
  const [pinned, setPinned] = useState<readonly object[]>([]);
  return (
    <>
      <p>
        <button onClick={() => setTheme(theme === "light" ? "dark" : "light")}>Theme</button>{" "}
        <button onClick={() => setPinned(selected)}>Pin</button>{" "}
        <button onClick={() => setShown(!isShown)}>{isShown ? "Hide" : "Show"}</button>{" "}
        <button onClick={() => void loadEditor(host).then(() => setEditing(true))}>Edit</button>{" "}
        <output>{selected.length} selected</output>
      </p>
      {isEditing && (
        <manifold-editor
          host={host}
          dashboard={dashboard}
          getToken={getToken}
          mode="limited"
          theme={theme}
          onsaved={() => setEditing(false)}
        />
      )}
      {isShown && !isEditing && (
        <manifold-dashboard
          host={host}
          dashboard={dashboard}
          getToken={getToken}
          theme={theme}
          filters={pinned}
          onfilter={({ detail }) => setSelected(detail.filters.flatMap(({ where }) => where))}
        />
      )}
    </>
  );
}
