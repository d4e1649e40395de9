import { type App, createApp } from 'vue';
import { Playground } from './playground.tsx';
import { PlaygroundModel } from './state.ts';

/** The playground that is shown, and where. */
let shown: { readonly place: Element; readonly app: App } | undefined;

/** How long the rest of the page waits for the first verdict at most. */
const longestWait = 3_000;

declare global {
  interface Window {
    /** Resolves when the first verdict was painted, or took too long: then the rest of the page may start. */
    kubeadmitShown?: Promise<void>;
  }
}

/** Shows the playground in an element of the page, if it is not there yet; gives what ends it. */
export function showPlayground(place: Element): () => void {
  if (shown?.place !== place) {
    shown?.app.unmount();
    const model = new PlaygroundModel();
    const app = createApp(Playground, { model });
    app.mount(place);
    shown = { place, app };
    window.kubeadmitShown = new Promise((resolve) => {
      setTimeout(resolve, longestWait);
      void model.firstAnswer.then(() => requestAnimationFrame(() => setTimeout(resolve)));
    });
  }
  return () => {
    if (shown?.place !== place) return;
    shown.app.unmount();
    shown = undefined;
  };
}

// The page loads this before its layout works: nobody who waits for a verdict waits for a menu.
const place = document.querySelector('.playground-place');
if (place !== null) showPlayground(place);
