// public/page.js
import "./embed/main.js";

const dashboard = document.querySelector("manifold-dashboard");
const unavailable = document.querySelector("#unavailable");

// The element calls this function at the start, and again before each token expires.
dashboard.getToken = async () => {
  const answer = await fetch("/token", { method: "POST" });
  if (answer.status === 401) location.assign("/sign-in");
  unavailable.hidden = answer.ok;
  if (!answer.ok) throw new Error(`the app issued no token: status ${answer.status}`);
  return answer.json();
};
dashboard.addEventListener("error", () => {
  unavailable.hidden = false;
});
dashboard.addEventListener("load", () => {
  unavailable.hidden = true;
});
