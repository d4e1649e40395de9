import { type App, createApp } from 'vue';
import { openFirst } from './actions.ts';
import { offerToScripts } from './page-interface.ts';
import { Playground } from './playground.tsx';
import { PlaygroundModel } from './state.ts';

/** The playground that is shown, and where. */
let shown: { readonly place: Element; readonly app: App } | undefined;

declare global {
  interface Window {
    /** Resolves when the first verdict was painted, or took too long: then the rest of the page may start. */
    kubeadmitShown?: Promise<void>;
  }
}

/**
 * Shows the playground in an element of the page, unless it is shown there already; returns a function that ends it.
 */
export function showPlayground(place: Element): () => void {
  if (shown?.place !== place) {
    shown?.app.unmount();
    const model = new PlaygroundModel();
    // An early judgement is available before the first rendering, which then includes the verdict.
    const opened = openFirst(model);
    const app = createApp(Playground, { model });
    app.mount(place);
    shown = { place, app };
    void opened.then(() => {
      if (shown?.app === app) offerToScripts(model);
    });
    void model.firstShown.then(() => model.loadExamples());
    window.kubeadmitShown = model.firstShown;
  }
  return () => {
    if (shown?.place !== place) return;
    shown.app.unmount();
    shown = undefined;
  };
}

// The page loads this module before its layout, so that the verdict does not wait for menus.
const place = document.querySelector('.playground-place');
if (place !== null) showPlayground(place);
