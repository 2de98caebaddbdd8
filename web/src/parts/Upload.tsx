/** The form that sends a recording, with its model if it needs one. */
import { useRef, useState } from 'preact/hooks';
import { source } from '../source/source';
import { Failure } from './Notice';

export const Upload = (props: { onDone: () => void }) => {
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<{ busy: boolean; error: Error | null }>(
    { busy: false, error: null });
  const send = async (event: Event) => {
    event.preventDefault();
    const data = new FormData(form.current!);
    const model = data.get('model');
    if (model instanceof File && model.size === 0) data.delete('model');
    if (!data.get('label')) data.delete('label');
    setState({ busy: true, error: null });
    try {
      await source.send('POST', 'profiles', data);
      form.current?.reset();
      setState({ busy: false, error: null });
      props.onDone();
    } catch (error) {
      setState({ busy: false, error: error as Error });
    }
  };
  return (
    <details class="upload">
      <summary>Upload…</summary>
      <form ref={form} onSubmit={send}>
        <label>Recording or profile <input type="file" name="file" required /></label>
        <label>Model, if the profile lacks it <input type="file" name="model" /></label>
        <label>Label <input type="text" name="label" /></label>
        <button type="submit" disabled={state.busy}>{state.busy ? 'Sending…' : 'Upload'}</button>
        {state.error && <Failure error={state.error} />}
      </form>
    </details>
  );
};
