import { Component, CUSTOM_ELEMENTS_SCHEMA, InjectionToken, inject, signal } from "@angular/core";
import { loadEditor, type DashboardEvent, type ThemeName } from "@manifold-analytics/embed";
import { getToken, type PageSettings } from "../readSettings.ts";

export const pageSettings = new InjectionToken<PageSettings>("settings of the page");

/** A dashboard that is bound to the state of the page: brackets set properties, and parentheses listen to events. */
@Component({
  selector: "main",
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <p>
      <button (click)="switchTheme()">Theme</button>&ngsp;
      <button (click)="pinned.set(selected())">Pin</button>&ngsp;
      <button (click)="isShown.set(!isShown())">{{ isShown() ? "Hide" : "Show" }}</button>&ngsp;
      <button (click)="edit()">Edit</button>&ngsp;
      <output>{{ selected().length }} selected</output>
    </p>
    @if (isEditing()) {
      <manifold-editor
        [host]="settings.host"
        [dashboard]="settings.dashboard"
        [getToken]="getToken"
        mode="limited"
        [attr.theme]="theme()"
        (saved)="isEditing.set(false)"
      />
    } @else if (isShown()) {
      <manifold-dashboard
        [host]="settings.host"
        [dashboard]="settings.dashboard"
        [getToken]="getToken"
        [theme]="theme()"
        [filters]="pinned()"
        (filter)="keepSelected($event)"
      />
    }
  `,
})
export class App {
  readonly settings = inject(pageSettings);
  readonly getToken = getToken;
  readonly theme = signal<ThemeName>("light");
  readonly isShown = signal(true);
  readonly isEditing = signal(false);
  readonly selected = signal<readonly object[]>([]);
  readonly pinned = signal<readonly object[]>([]);

  switchTheme(): void {
    this.theme.update((theme) => (theme === "light" ? "dark" : "light"));
  }

  async edit(): Promise<void> {
    await loadEditor(this.settings.host);
    this.isEditing.set(true);
  }

  keepSelected({ detail }: DashboardEvent<"filter">): void {
    this.selected.set(detail.filters.flatMap(({ where }) => where));
  }
}
