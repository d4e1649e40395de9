import type { Theme } from 'vitepress';
import defaultTheme from 'vitepress/theme';
import { defineAsyncComponent } from 'vue';
import './style.css';

const theme: Theme = {
  extends: defaultTheme,
  enhanceApp({ app }) {
    app.component(
      'LiveExample',
      defineAsyncComponent(
        async () => (await import('../../src/home/live-example.tsx')).LiveExample,
      ),
    );
    app.component(
      'Playground',
      defineAsyncComponent(
        async () => (await import('../../src/playground/playground.tsx')).Playground,
      ),
    );
  },
};

export default theme;
