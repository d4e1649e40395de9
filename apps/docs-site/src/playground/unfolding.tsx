import { defineComponent, ref, type VNodeChild } from 'vue';

/**
 * A part of the page that users can unfold. Its content is created on first use: an explanation has a
 * hundred values, a request has seven fields, and most users need none.
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
