import { inBrowser, type Theme } from 'vitepress';
import defaultTheme from 'vitepress/theme';
import { defineAsyncComponent, h } from 'vue';
import { HomeNumbers } from '../../src/home/home-numbers.tsx';
import './style.css';

const LiveExample = defineAsyncComponent(
  async () => (await import('../../src/home/live-example.tsx')).LiveExample,
);

const theme: Theme = {
  extends: defaultTheme,
  Layout: () =>
    h(defaultTheme.Layout, undefined, {
      'home-hero-image': () => h('div', { class: 'home-example' }, [h(LiveExample)]),
    }),
  enhanceApp({ app, siteData }) {
    app.component('HomeNumbers', HomeNumbers);
    app.component(
      'Playground',
      defineAsyncComponent(
        async () => (await import('../../src/playground/playground.tsx')).Playground,
      ),
    );
    if (inBrowser && import.meta.env.PROD) keepForLater(siteData.value.base);
  },
};

/** Starts the worker that keeps the site for times without a network, when everything else is done. */
function keepForLater(base: string): void {
  if (!('serviceWorker' in navigator)) return;
  const register = (): void => {
    void navigator.serviceWorker.register(`${base}service-worker.js`).catch(() => undefined);
  };
  addEventListener('load', () => setTimeout(register, 3_000), { once: true });
}

export default theme;
