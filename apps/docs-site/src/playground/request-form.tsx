import type { FunctionalComponent } from 'vue';
import type { RequestSetting } from '../worker/judgement.ts';
import type { PlaygroundModel } from './state.ts';
import { Unfolding } from './unfolding.tsx';

/** The parts of a request that no manifest contains. */
export const RequestForm: FunctionalComponent<{ readonly model: PlaygroundModel }> = ({
  model,
}) => {
  const { request, files } = model.state;
  const text =
    (name: 'user' | 'namespace' | 'subresource' | 'oldObjects' | 'operation') =>
    (event: Event): void =>
      model.setRequest({
        [name]: (event.target as HTMLInputElement).value,
      } as Partial<RequestSetting>);
  const title = (
    <>
      Request: <b>{request.operation}</b> by <b>{request.user}</b>
    </>
  );
  return (
    <Unfolding class="request" title={title}>
      {() => (
        <div class="fields">
          <label>
            <span>Operation</span>
            <select value={request.operation} onChange={text('operation')}>
              <option>CREATE</option>
              <option>UPDATE</option>
              <option>DELETE</option>
            </select>
          </label>
          <label>
            <span>User</span>
            <input value={request.user} onInput={text('user')} />
          </label>
          <label>
            <span>Groups</span>
            <input
              value={request.groups.join(', ')}
              onChange={(event: Event) =>
                model.setRequest({ groups: listOf((event.target as HTMLInputElement).value) })
              }
            />
          </label>
          <label>
            <span>Default namespace</span>
            <input value={request.namespace} onInput={text('namespace')} />
          </label>
          <label>
            <span>Subresource</span>
            <input value={request.subresource} placeholder="none" onInput={text('subresource')} />
          </label>
          <label>
            <span>Old objects</span>
            <select value={request.oldObjects} onChange={text('oldObjects')}>
              <option value="">Same as the new objects</option>
              {Object.keys(files).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={request.dryRun}
              onChange={(event: Event) =>
                model.setRequest({ dryRun: (event.target as HTMLInputElement).checked })
              }
            />
            <span>Dry run</span>
          </label>
        </div>
      )}
    </Unfolding>
  );
};
RequestForm.props = ['model'];

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
