/** The filters and the group of a table. */
import { useState } from 'preact/hooks';
import { count, counted } from '../format/units';
import type { Column } from '../source/answers';
import { operatorsOf } from '../source/tables';
import { address, option, setOptions } from '../state/store';

const WORDS: Record<string, string> = { '~~': 'contains', '~': 'contains exactly', '=': 'is', '!=': 'is not',
  '!~': 'lacks exactly', '!~~': 'lacks' };

const Added = (props: { filter: string; all: string[] }) => {
  const rest = props.all.filter((other) => other !== props.filter);
  return (
    <button type="button" class="chip" aria-label={`Remove the filter ${props.filter}`}
      onClick={() => setOptions({ filter: rest, offset: null })}>{props.filter} ×</button>
  );
};

const Condition = (props: { columns: Column[]; all: string[] }) => {
  const { columns } = props;
  const [name, setName] = useState(columns.find((column) => column.kind === 'text')?.name
    ?? columns[0].name);
  const column = columns.find((known) => known.name === name) ?? columns[0];
  const operators = operatorsOf(column);
  const [operator, setOperator] = useState(operators[0]);
  const used = operators.includes(operator) ? operator : operators[0];
  const [value, setValue] = useState('');
  const add = (event: Event) => {
    event.preventDefault();
    if (value === '') return;
    setOptions({ filter: [...props.all, column.name + used + value], offset: null });
    setValue('');
  };
  return (
    <form class="condition" onSubmit={add}>
      <select aria-label="Column of the filter" value={column.name}
        onChange={(event) => setName(event.currentTarget.value)}>
        {columns.map((known) => <option key={known.name} value={known.name}>{known.title}</option>)}
      </select>
      <select aria-label="Condition of the filter" value={used}
        onChange={(event) => setOperator(event.currentTarget.value)}>
        {operators.map((known) => <option key={known} value={known}>{WORDS[known] ?? known}</option>)}
      </select>
      <input type="search" aria-label="Value of the filter" value={value}
        placeholder={column.kind === 'time' ? '1.5ms' : 'Filter'}
        onInput={(event) => setValue(event.currentTarget.value)} />
      <button type="submit">Add</button>
    </form>
  );
};

const Group = (props: { columns: Column[] }) => (
  <label class="choice">Group by{' '}
    <select aria-label="Group by" value={option('group') ?? ''}
      onChange={(event) => setOptions({ group: event.currentTarget.value || null, sort: null })}>
      <option value="">none</option>
      {props.columns.filter((column) => column.kind === 'text').map((column) =>
        <option key={column.name} value={column.name}>{column.title}</option>)}
    </select>
  </label>
);

export const Conditions = (props: { columns: Column[]; matched: number | null; total: number }) => {
  const all = address.value.options.getAll('filter');
  const { matched, total } = props;
  return (
    <div class="tools">
      <Condition columns={props.columns} all={all} />
      <Group columns={props.columns} />
      {props.columns.some((column) => column.use === 'data-only') &&
        <label><input type="checkbox" checked={option('columns') === 'all'}
          onChange={(event) => setOptions({ columns: event.currentTarget.checked ? 'all' : null }, true)} />
          {' '}All columns</label>}
      {all.map((filter) => <Added key={filter} filter={filter} all={all} />)}
      <span class="muted rows" role="status">
        {matched === null ? '' : matched === total || option('group')
          ? counted(matched, 'row') : `${count(matched)} of ${counted(total, 'row')}`}
      </span>
    </div>
  );
};
