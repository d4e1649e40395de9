import { inBrowser, type Theme, useData } from 'vitepress';
import defaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent, defineComponent, h, onMounted, watch } from 'vue';
import { HomeNumbers } from '../../src/home/home-numbers.ts';
import { PlaygroundPlace } from '../../src/playground/playground-place.ts';
import './style.css';

const LiveExample = defineAsyncComponent(
  async () => (await import('../../src/home/live-example.tsx')).LiveExample,
);

declare global {
  interface Window {
    /** Replays the clicks and keys from before the layout was ready; see `early-clicks.js`. */
    kubeadmitLaidOut?: () => void;
  }
}

/** The layout of every page; pages that are not articles also get a main landmark for screen readers. */
const SiteLayout = defineComponent(() => {
  const { frontmatter } = useData();
  const markMain = (): void => {
    const content = document.getElementById('VPContent');
    if (['home', 'page'].includes(String(frontmatter.value['layout']))) {
      content?.setAttribute('role', 'main');
    } else content?.removeAttribute('role');
  };
  onMounted(markMain);
  // After everything around it works, too.
  onMounted(() => setTimeout(() => window.kubeadmitLaidOut?.()));
  if (inBrowser) watch(frontmatter, markMain, { flush: 'post' });
  return () =>
    h(defaultTheme.Layout, undefined, {
      'home-hero-image': () => h('div', { class: 'home-example' }, [h(LiveExample)]),
    });
});

const theme: Theme = {
  extends: defaultTheme,
  Layout: SiteLayout,
  enhanceApp({ app, siteData }) {
    app.component('HomeNumbers', HomeNumbers);
    app.component('PlaygroundPlace', PlaygroundPlace);
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
