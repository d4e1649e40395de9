import { defineComponent, ref, type VNodeChild } from 'vue';

/**
 * A part of the page that somebody unfolds. What is in it is made when it is unfolded first: an explanation has a
 * hundred values, a request has seven fields, and most people look at none.
 */
export const Unfolding = defineComponent(
  (
    props: { readonly title: VNodeChild; readonly onOpen?: () => void },
    { slots }: { slots: { default?: () => VNodeChild } },
  ) => {
    const wasOpen = ref(false);
    const toggle = (event: Event): void => {
      if (!(event.target as HTMLDetailsElement).open) return;
      wasOpen.value = true;
      props.onOpen?.();
    };
    return () => (
      <details onToggle={toggle}>
        <summary>{props.title}</summary>
        {wasOpen.value && slots.default?.()}
      </details>
    );
  },
  { name: 'UnfoldingPart', props: ['title', 'onOpen'] },
);
