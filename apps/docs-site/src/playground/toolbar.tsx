import type { FunctionalComponent } from 'vue';
import { copyAsKubectl, exportFiles, importFiles, share } from './actions.ts';
import { kubernetesVersions, type PlaygroundModel } from './state.ts';

/** The controls: examples, versions, sharing, files. */
export const Toolbar: FunctionalComponent<{ readonly model: PlaygroundModel }> = ({ model }) => {
  const { state } = model;
  const openExample = (event: Event): void => {
    const select = event.target as HTMLSelectElement;
    const example = state.examples.find(({ name }) => name === select.value);
    if (example !== undefined) model.open(example.files);
    select.value = '';
  };
  return (
    <section class="toolbar" aria-label="Controls">
      <label>
        <span>Example</span>
        <select class="examples" onChange={openExample}>
          <option value="">Choose an example</option>
          {state.examples.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Kubernetes</span>
        <select
          value={state.kubernetesVersion}
          onChange={(event: Event) =>
            model.setVersions((event.target as HTMLSelectElement).value, state.otherVersion)
          }
        >
          {kubernetesVersions.map((version) => (
            <option key={version}>{version}</option>
          ))}
        </select>
      </label>
      <label>
        <span>Compare with</span>
        <select
          value={state.otherVersion}
          onChange={(event: Event) =>
            model.setVersions(state.kubernetesVersion, (event.target as HTMLSelectElement).value)
          }
        >
          <option value="">None</option>
          {kubernetesVersions.map((version) => (
            <option key={version}>{version}</option>
          ))}
        </select>
      </label>
      <span class="space" />
      <button type="button" class="action" onClick={() => void share(model)}>
        Share
      </button>
      <button type="button" class="action" onClick={() => void exportFiles(model)}>
        Export
      </button>
      <label class="action import">
        <span>Import</span>
        <input
          type="file"
          multiple
          accept=".yaml,.yml,.json,.cel,.zip"
          onChange={(event: Event) => {
            const input = event.target as HTMLInputElement;
            if (input.files !== null) void importFiles(model, input.files);
          }}
        />
      </label>
      <button type="button" class="action" onClick={() => void copyAsKubectl(model)}>
        Copy as kubectl
      </button>
      <p class="notice" role="status">
        {state.notice}
      </p>
    </section>
  );
};
Toolbar.props = ['model'];
