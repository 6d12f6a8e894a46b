// SPDX-License-Identifier: Apache-2.0
package org.apache.hudi.hadoop.realtime;

import org.apache.hudi.hadoop.HoodieParquetInputFormat;

/** The input format of Hudi tables that are merged when they are read. */
public final class HoodieParquetRealtimeInputFormat
        extends HoodieParquetInputFormat
{}
