import type { FunctionalComponent } from 'vue';
import type { PlaygroundModel } from './state.ts';

/** The open files as tabs: arrows go from one to the next, Delete closes one. */
export const FileTabs: FunctionalComponent<{ readonly model: PlaygroundModel }> = ({ model }) => {
  const { state } = model;
  const names = Object.keys(state.files);
  const show = (name: string | undefined): void => {
    if (name === undefined) return;
    state.active = name;
    requestAnimationFrame(() => document.getElementById(tabId(name))?.focus());
  };
  const press = (event: KeyboardEvent, name: string): void => {
    const place = names.indexOf(name);
    const moves: Readonly<Record<string, () => void>> = {
      ArrowRight: () => show(names[(place + 1) % names.length]),
      ArrowLeft: () => show(names[(place + names.length - 1) % names.length]),
      Home: () => show(names[0]),
      End: () => show(names.at(-1)),
      Delete: () => model.remove(name),
      F2: () => rename(model, name),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    <div class="file-bar">
      <div class="tabs" role="tablist" aria-label="Open files">
        {names.map((name) => (
          <button
            key={name}
            id={tabId(name)}
            type="button"
            role="tab"
            aria-selected={name === state.active}
            tabindex={name === state.active ? 0 : -1}
            class={severityClass(model, name)}
            title="F2: rename, Delete: close"
            onClick={() => show(name)}
            onDblclick={() => rename(model, name)}
            onKeydown={(event: KeyboardEvent) => press(event, name)}
          >
            {name}
          </button>
        ))}
      </div>
      <button
        type="button"
        class="plain"
        title="New file"
        onClick={() => model.add('new.yaml', '')}
      >
        <span aria-hidden="true">+</span>
        <span class="visually-hidden">New file</span>
      </button>
      <button
        type="button"
        class="plain"
        title="Close this file"
        disabled={names.length === 0}
        onClick={() => model.remove(state.active)}
      >
        <span aria-hidden="true">×</span>
        <span class="visually-hidden">Close this file</span>
      </button>
    </div>
  );
};
FileTabs.props = ['model'];

function tabId(name: string): string {
  return `file-${name}`;
}

function severityClass({ state }: PlaygroundModel, name: string): string {
  const found = state.judgement?.problems.filter(({ file }) => file === name) ?? [];
  if (found.some(({ severity }) => severity === 'error')) return 'has-error';
  return found.length > 0 ? 'has-warning' : '';
}

function rename(model: PlaygroundModel, name: string): void {
  const next = window.prompt('New file name', name);
  if (next !== null) model.rename(name, next.trim());
}
