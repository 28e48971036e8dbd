import { mount } from "svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import App from "./app/App.svelte";
import { language, loadLanguage } from "$texts";
import { applyTheme } from "$lib/theme.svelte.ts";

applyTheme();
await loadLanguage();
document.documentElement.lang = language();
mount(App, { target: document.body });
