// Runs in every page before anything else: clicks on the buttons of the layout, and the keys of its search, are kept
// until the layout is ready, which then replays them. No early click is lost.
(() => {
  const kept = [];
  const keepClick = (event) => {
    const button = event.target instanceof Element ? event.target.closest('#app button') : null;
    if (button !== null && button.closest('.playground') === null) kept.push(() => button.click());
  };
  const keepKey = (event) => {
    const isSearch = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!isSearch) return;
    event.preventDefault();
    const { key, ctrlKey, metaKey } = event;
    const again = { key, ctrlKey, metaKey, bubbles: true, cancelable: true };
    kept.push(() => document.body.dispatchEvent(new KeyboardEvent('keydown', again)));
  };
  document.addEventListener('click', keepClick, true);
  document.addEventListener('keydown', keepKey, true);
  window.kubeadmitLaidOut = () => {
    document.removeEventListener('click', keepClick, true);
    document.removeEventListener('keydown', keepKey, true);
    delete window.kubeadmitLaidOut;
    for (const again of kept) again();
  };
})();
