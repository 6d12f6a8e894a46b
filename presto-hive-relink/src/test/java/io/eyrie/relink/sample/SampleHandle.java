package io.eyrie.relink.sample;

public interface SampleHandle
{
    String name();
}
