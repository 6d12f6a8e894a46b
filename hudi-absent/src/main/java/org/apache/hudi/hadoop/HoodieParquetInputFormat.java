// SPDX-License-Identifier: Apache-2.0
package org.apache.hudi.hadoop;

import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/** The input format of Hudi tables. The connector creates one to see that a table is Hudi's; the table is refused before anything is read. */
public class HoodieParquetInputFormat
        implements InputFormat<Object, Object>
{
    @Override
    public InputSplit[] getSplits(JobConf job, int numSplits)
    {
        throw new UnsupportedOperationException("A Hudi table is refused earlier");
    }

    @Override
    public RecordReader<Object, Object> getRecordReader(InputSplit split, JobConf job, Reporter reporter)
    {
        throw new UnsupportedOperationException("A Hudi table is refused earlier");
    }
}
