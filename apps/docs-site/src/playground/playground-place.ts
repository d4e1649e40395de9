import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue';

/** The text shown until the playground has loaded, and without JavaScript. */
const waiting =
  '<p class="playground-waiting">Loading the playground …</p><noscript><p class="playground-waiting">The playground runs in this page and needs JavaScript. Allow it for this page, or run <code>npx kubeadmit check</code> on your own machine, as in the <a href="../guides/first-verdict.html">first guide</a>.</p></noscript>';

/**
 * The container of the playground in its page.
 *
 * The playground is a separate application that starts before the layout around it. This component does not touch
 * existing contents.
 */
export const PlaygroundPlace = defineComponent({
  name: 'PlaygroundPlace',
  setup() {
    const place = ref<Element>();
    let isGone = false;
    let end = (): void => undefined;
    onMounted(async () => {
      const { showPlayground } = await import('./start.ts');
      if (place.value !== undefined && !isGone) end = showPlayground(place.value);
    });
    onBeforeUnmount(() => {
      isGone = true;
      end();
    });
    return () => h('div', { class: 'playground-place', ref: place, innerHTML: waiting });
  },
});
