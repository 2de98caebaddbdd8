import { render } from 'preact';
import { Shell } from './parts/Shell';

render(<Shell />, document.getElementById('page')!);
