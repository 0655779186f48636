import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/eb-garamond/wght.css';
import './style/tokens.css';
import './style/base.css';
import './style/fields.css';
import './style/tree.css';
import './style/print.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { inWindow, setNativeTexts } from './desktop';
import { applyTheme } from './state/theme.svelte';
import { t } from './texts';

applyTheme();
document.documentElement.lang = t.code;
// If this fails, native texts stay English.
if (inWindow) setNativeTexts(t.window).catch(() => {});
const target = document.getElementById('app');
if (target) mount(App, { target });
