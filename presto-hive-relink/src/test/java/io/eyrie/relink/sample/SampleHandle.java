// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink.sample;

public interface SampleHandle
{
    String name();
}
