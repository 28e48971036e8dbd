const STORED = "handler-theme";

/** How the page looks: as the machine does, or as the person has chosen. */
export type Theme = "system" | "light" | "dark";

let theme = $state<Theme>(read());

function read(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** The theme in use. */
export function currentTheme(): Theme {
  return theme;
}

/** Chooses a theme, here and at the next visit. */
export function chooseTheme(next: Theme): void {
  theme = next;
  if (next === "system") localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, next);
  applyTheme();
}

/** Writes the theme where the styles look for it. */
export function applyTheme(): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
