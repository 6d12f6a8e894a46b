// SPDX-License-Identifier: Apache-2.0
package org.apache.hudi.hadoop.realtime;

/** No split is one. */
public final class HoodieRealtimeBootstrapBaseFileSplit
{
    private HoodieRealtimeBootstrapBaseFileSplit()
    {}
}
