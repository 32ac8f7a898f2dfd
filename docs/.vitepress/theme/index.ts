import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import hero from './hero.svg?raw';
import './style.css';

/** The drawing stands in the page itself, where it has the colours of the theme, light and dark. */
const drawing = () => h('div', { class: 'hero-drawing', innerHTML: hero });

export default { extends: DefaultTheme, Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': drawing }) };
