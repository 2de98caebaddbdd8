/** The roofline: rate of each op over its intensity, below the machine's peaks. */
import { useMemo } from 'preact/hooks';
import { AnalyzerTable } from '../parts/AnalyzerTable';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import { useSize } from '../parts/useSize';
import { RooflinePicture } from '../roofline/RooflinePicture';
import { pointsOf, roofOf } from '../roofline/roof';
import { useTable } from '../state/table';
import type { PageProps } from './registry';

export const Roofline = (props: PageProps) => {
  const { profile } = props;
  const { value: table, error } = useTable(profile.id, 'roofline');
  const { element, width } = useSize<HTMLDivElement>();
  const points = useMemo(() => (table ? pointsOf(table) : []), [table]);
  const roof = useMemo(() => roofOf(points), [points]);
  return (
    <div class="page">
      {error && <Failure error={error} />}
      {!table && !error && <Waiting />}
      <div ref={element}>
        {points.length > 0 && width > 0 && <RooflinePicture points={points} roof={roof} width={width} />}
        {table && points.length === 0 && <Nothing>No op has a known rate and intensity.</Nothing>}
      </div>
      <div class="tall"><AnalyzerTable profile={profile} name="roofline" label="Roofline" /></div>
    </div>
  );
};
